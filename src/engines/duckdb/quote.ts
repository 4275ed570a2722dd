/** Quoting for DuckDB. https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers */

/** An identifier, whatever its characters. DuckDB cannot hold U+0000 in one. */
export function ident(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A string literal. Backslashes are ordinary in DuckDB; U+0000 is written as `chr(0)`. */
export function literal(text: string): string {
  const quoted = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return quoted.length === 1 ? (quoted[0] as string) : `(${quoted.join(' || chr(0) || ')})`;
}
