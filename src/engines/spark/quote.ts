/** Quoting for Spark SQL, with `spark.sql.parser.escapedStringLiterals` off. https://spark.apache.org/docs/latest/sql-ref-literals.html */
import { Fault } from '../../core/fault.ts';

/**
 * An identifier, whatever its characters. Nothing can be escaped between backticks, so a session must have `spark.sql.variable.substitute`
 * off, else Spark puts the value of `${env:…}` in its place. Throws GAP for an empty name, which Spark does not have.
 */
export function ident(name: string): string {
  if (name === '') throw new Fault('GAP', 'Spark has no empty names');
  return `\`${name.replaceAll('`', '``')}\``;
}

/**
 * A string literal, whatever its characters. `$\{` is the text `${`: even between quotes Spark would take that for one of its variables.
 */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('${', '$\\{')}'`;
}
