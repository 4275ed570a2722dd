import { expect, test } from 'vitest';
import { auditTables } from '../../src/engines/duckdb/audit.ts';
import { auditMeanings } from './audit-columns.ts';
import { code, table, wrapped } from './markdown.ts';

/** `run_id VARCHAR, "partition" VARCHAR, UNIQUE (a, b)` as pairs of name and type; constraints are no columns. */
const columnsOf = (sql: string): readonly (readonly [string, string])[] =>
  [...sql.matchAll(/(?:^|, )"?([a-z_0-9]+)"? ([A-Z]+)/g)].map(([, name = '', type = '']) => [name, type]);

test.each(Object.entries(auditTables))('every column of the audit table %s has a meaning, in order', (name, sql) => {
  expect(Object.keys(auditMeanings[name]?.columns ?? {})).toEqual(columnsOf(sql).map(([column]) => column));
});

function reference(): string {
  const sections = Object.entries(auditTables).map(([name, sql]) => {
    const meaning = auditMeanings[name];
    const rows = columnsOf(sql).map(([column, type]) => [code(column), type, meaning?.columns[column] ?? '']);
    return [`## audit_schema_${name}`, `One row for ${meaning?.row}. ${meaning?.text}`, table(['column', 'type', 'meaning'], rows)].join(
      '\n\n',
    );
  });
  return `${[
    '# Audit tables',
    '<!-- Generated from src/engines/duckdb/audit.ts by test/docs/audit-tables.test.ts. -->',
    wrapped(
      'Five tables beside the target, made by the first load. They lie in the schema of `audit.schema` (built-in: `main`), and their names begin with `audit.prefix` ' +
        '(built-in: `audit_schema_`). Ready queries: [guide](../guide/audit-tables.md).',
    ),
    ...sections,
  ].join('\n\n')}\n`;
}

test('docs/reference/audit-tables.md says what the tables are', async () => {
  await expect(reference()).toMatchFileSnapshot('../../docs/reference/audit-tables.md');
});
