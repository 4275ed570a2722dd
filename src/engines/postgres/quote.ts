/** Quoting for PostgreSQL. https://www.postgresql.org/docs/16/sql-syntax-lexical.html */
import { Fault } from '../../core/fault.ts';

/** Bytes of a name that a standard build keeps; it cuts the rest off with a mere notice. */
const longestName = 63;

/**
 * An identifier, whatever its characters.
 * Throws GAP for names that PostgreSQL cannot hold: empty, with U+0000, or of more than 63 bytes, which it would cut.
 */
export function ident(name: string): string {
  if (name === '') throw new Fault('GAP', 'PostgreSQL has no empty names');
  if (name.includes('\0')) throw new Fault('GAP', `PostgreSQL has no names with U+0000: ${JSON.stringify(name)}`);
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > longestName) {
    throw new Fault('GAP', `PostgreSQL keeps ${longestName} bytes of a name, and this one has ${bytes}: ${JSON.stringify(name)}`, {
      fix: 'Give the column or table a shorter name.',
    });
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A string literal. One that holds a backslash is written as E'…', which means the same under every setting of
 * standard_conforming_strings. Throws GAP for U+0000, which no text of PostgreSQL can hold.
 */
export function literal(text: string): string {
  if (text.includes('\0')) throw new Fault('GAP', `PostgreSQL has no texts with U+0000: ${JSON.stringify(text)}`);
  const quoted = text.replaceAll("'", "''");
  return text.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
