/** Types that hold every value of a source, as Spark can store them. */
import { type Field, type LogicalType, list, map, string, struct } from '../../core/model/type.ts';
import type { SourceGroup } from '../../core/plan/plan.ts';
import type { Inferred, SourceInput } from '../../run/engine.ts';
import type { Session } from './driver.ts';
import { querySelect, querySql } from './shapes.ts';

/** Times, UUIDs and JSON are text to Spark; a struct without fields can be stored nowhere. */
function storable(type: LogicalType): LogicalType {
  switch (type.kind) {
    case 'time':
    case 'uuid':
    case 'json':
    case 'unknown':
      return string();
    case 'list':
      return list(storable(type.element));
    case 'map':
      return map(storable(type.key), storable(type.value));
    case 'struct':
      return type.fields.length === 0 ? string() : struct(type.fields.map((field): Field => ({ ...field, type: storable(field.type) })));
    default:
      return type;
  }
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
  const [shape] = groups;
  if (shape === undefined || source.spec.kind !== 'query') return { schema: { columns: [] }, evidence: { rows: 0, sampled: false } };
  const limited = `${querySelect(querySql(source.spec, session), shape)}${sample === null ? '' : ` LIMIT ${sample}`}`;
  const row = await session.one(`SELECT count(*) AS n${shape.columns.map((_, i) => `, count(r${i}) AS r${i}`).join('')} FROM (${limited})`);
  return storableSchema({
    schema: {
      columns: shape.columns.map(({ name, type }, i) => ({
        name,
        type: type ?? string(),
        nullable: row['n'] === '0' || row[`r${i}`] !== row['n'],
      })),
    },
    evidence: { rows: Number(row['n']), sampled: sample !== null },
  });
}
