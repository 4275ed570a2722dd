import type { MessageInitShape } from '@bufbuild/protobuf';
import { writeArrow } from './arrow.ts';
import type { Destination } from './spark-client.ts';
import type { PlanSchema, RelationSchema } from './messages.ts';

export type PlanInit = MessageInitShape<typeof PlanSchema>;
export type RelationInit = MessageInitShape<typeof RelationSchema>;

export const sqlRelation = (query: string): RelationInit => ({ relType: { case: 'sql', value: { query } } });

/** A query whose rows are wanted. */
export const rootPlan = (root: RelationInit): PlanInit => ({ opType: { case: 'root', value: root } });

/** Any statement: the server runs commands at once and answers queries with a relation to be asked for. */
export const sqlCommand = (query: string): PlanInit => ({
  opType: { case: 'command', value: { commandType: { case: 'sqlCommand', value: { input: sqlRelation(query) } } } },
});

/** A temporary view of rows that are sent along. */
export function viewPlan(name: string, columns: readonly string[], rows: readonly (readonly (string | null)[])[]): PlanInit {
  const input: RelationInit = { relType: { case: 'localRelation', value: { data: writeArrow(columns, rows) } } };
  return {
    opType: {
      case: 'command',
      value: { commandType: { case: 'createDataframeView', value: { input, name, isGlobal: false, replace: true } } },
    },
  };
}

/** The name under which the counts of `save` come back. */
export const countsName = 'schemalign_counts';
const modes = { append: 1, overwrite: 2, error: 3 } as const;
const saveAsTable = 1;

/** A write of a query, with aggregates counted on the way. */
export function savePlan({ query, to, format, mode, partitionBy, options, count }: Destination): PlanInit {
  const counts = Object.entries(count ?? {});
  const input = sqlRelation(query);
  const counted: RelationInit = {
    common: { planId: 1n },
    relType: {
      case: 'collectMetrics',
      value: { input, name: countsName, metrics: counts.map(([name, sql]) => expression(`(${sql}) AS \`${name.replaceAll('`', '``')}\``)) },
    },
  };
  return {
    opType: {
      case: 'command',
      value: {
        commandType: {
          case: 'writeOperation',
          value: {
            input:
              counts.length === 0 ? input : { relType: { case: 'project', value: { input: counted, expressions: [expression('*')] } } },
            source: format,
            mode: modes[mode],
            partitioningColumns: [...(partitionBy ?? [])],
            options: { ...options },
            saveType:
              'path' in to ? { case: 'path', value: to.path } : { case: 'table', value: { tableName: to.table, saveMethod: saveAsTable } },
          },
        },
      },
    },
  };
}

const expression = (query: string) => ({ exprType: { case: 'expressionString' as const, value: { query } } });
