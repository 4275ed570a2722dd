/** Names of tables as people write them. */
import { Fault } from '../../core/fault.ts';
import { ident } from './quote.ts';

export interface TableRef {
  readonly schema: string;
  readonly table: string;
}

/** Our temporary tables; the server looks for temporary tables first where no schema is named. */
const ours = /^schemalign_/i;

/**
 * `table` or `schema.table`; parts with dots or other signs in double quotes. Names are taken as they are written: unlike in the server's own
 * SQL an unquoted name is not put into lower case.
 */
export function parseTableName(text: string, defaultSchema: string): TableRef {
  const parts: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^."]+))\s*(\.|$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) throw unreadable(text);
    parts.push(match[1]?.replaceAll('""', '"') ?? (match[2] as string).trim());
  }
  const [table, schema, more] = parts.reverse();
  if (table === undefined || table === '' || schema === '' || more !== undefined) throw unreadable(text);
  if (ours.test(table))
    throw new Fault('USAGE', `the table name ${text} is kept for Schemalign's own temporary tables`, {
      fix: 'Choose a name that does not begin with schemalign_.',
    });
  return { table, schema: schema ?? defaultSchema };
}

function unreadable(text: string): Fault {
  return new Fault('USAGE', `the table name ${text} cannot be read`, {
    fix: 'Write schema.table; put a name with dots or quotes in double quotes, quotes doubled.',
  });
}

export const tableSql = ({ schema, table }: TableRef): string => `${ident(schema)}.${ident(table)}`;
