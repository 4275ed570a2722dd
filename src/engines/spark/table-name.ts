/** Names of tables as people write them. */
import { Fault } from '../../core/fault.ts';
import { ident } from './quote.ts';

/** `delta` as the schema makes the table a path: `delta."/data/orders"`. */
export interface TableRef {
  readonly catalog?: string;
  readonly schema: string;
  readonly table: string;
}

/** Our own tables and views. */
const ours = /^schemalign_/i;

/** `table`, `schema.table` or `catalog.schema.table`; parts with dots or other signs in double quotes or backticks. */
export function parseTableName(text: string, defaultSchema: string): TableRef {
  const parts: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([^."`]+))\s*(\.|$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) throw unreadable(text);
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2]?.replaceAll('``', '`') ?? (match[3] as string).trim());
  }
  const [table, schema, catalog, more] = parts.reverse();
  if (table === undefined || table === '' || schema === '' || catalog === '' || more !== undefined) throw unreadable(text);
  if (ours.test(table))
    throw new Fault('USAGE', `the table name ${text} is kept for Schemalign's own tables`, {
      fix: 'Choose a name that does not begin with schemalign_.',
    });
  return { table, schema: schema ?? defaultSchema, ...(catalog === undefined ? {} : { catalog }) };
}

function unreadable(text: string): Fault {
  return new Fault('USAGE', `the table name ${text} cannot be read`, {
    fix: 'Write schema.table; put a name with dots or other signs in backticks.',
  });
}

export const schemaSql = ({ catalog, schema }: TableRef): string =>
  [...(catalog === undefined ? [] : [catalog]), schema].map(ident).join('.');

export const tableSql = (ref: TableRef): string => `${schemaSql(ref)}.${ident(ref.table)}`;
