/** Types that hold every value of a source, as this engine can store them. */
import { int, json, list, type LogicalType, string } from '../../core/model/type.ts';
import type { SourceGroup } from '../../core/plan/plan.ts';
import type { Inferred, SourceInput } from '../../run/engine.ts';
import type { Session } from './driver.ts';
import { querySql } from './shapes.ts';

/** There is no integer of 8 bits; what has parts becomes JSON, as there are no structs without a name and no maps. */
function storable(type: LogicalType): LogicalType {
  if (type.kind === 'unknown') return string();
  if (type.kind === 'int' && type.bits === 8) return int(16);
  if (type.kind === 'struct' || type.kind === 'map') return json;
  if (type.kind !== 'list') return type;
  const element = storable(type.element);
  return element.kind === 'list' || element.kind === 'json' ? json : list(element);
}

export const storableSchema = ({ schema, evidence }: Inferred): Inferred => ({
  schema: { ...schema, columns: schema.columns.map((column) => ({ ...column, type: storable(column.type) })) },
  evidence,
});

/** A table or query says its types itself; only whether NULL occurs is looked up. */
export async function inferQuery(
  session: Session,
  { source, groups, sample }: { source: SourceInput; groups: readonly SourceGroup[]; sample: number | null },
): Promise<Inferred> {
  const columns = groups[0]?.columns ?? [];
  const query = source.spec.kind === 'query' ? querySql(source.spec, session) : 'SELECT';
  const names = columns.map((_, i) => `r${i}`);
  const limited = `SELECT * FROM (${query}) q${names.length === 0 ? '' : `(${names.join(', ')})`}${sample === null ? '' : ` LIMIT ${sample}`}`;
  const row = await session.one(`SELECT count(*) AS n${names.map((name) => `, count(${name}) AS ${name}`).join('')} FROM (${limited}) x`);
  return storableSchema({
    schema: {
      columns: columns.map(({ name, type }, i) => ({
        name,
        type: type ?? string(),
        nullable: row['n'] === '0' || row[`r${i}`] !== row['n'],
      })),
    },
    evidence: { rows: Number(row['n']), sampled: sample !== null },
  });
}
