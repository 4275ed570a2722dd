/** What no single key can show: keys of one job that do not go together, or that are missing. Values stay unsaid: they may be secrets. */
import { didYouMean } from './did-you-mean.ts';
import { usesEnvironment } from './environment.ts';
import type { ColumnLayer, JobLayer, SourceLayer } from './layer.ts';
import { pointerTo } from './problem.ts';

export interface Complaint {
  /** JSON pointer below the job; empty for the job itself. */
  readonly at: string;
  readonly message: string;
  readonly fix?: string;
}

type Check = (job: JobLayer) => readonly Complaint[];

/** Checks of what one place says by itself: each of `defaults` and the jobs is held against them. */
const ownChecks: readonly Check[] = [
  (job) => sourceConflicts(job.source ?? {}),
  (job) => ruleConflicts(job, ''),
  (job) => [...(job.columns ?? [])].flatMap(([name, rule]) => ruleConflicts(rule, pointerTo('/columns', name))),
  (job) => repeated(job.key, '/key'),
  (job) => repeated(job.partition?.columns, '/partition/columns'),
];

/** Checks of a job as it will run, with everything folded in. */
const wholeChecks: readonly Check[] = [
  sourceMissing,
  targetMissing,
  mergeMissing,
  partitionMissing,
  (job) => ruleConflicts(job, ''),
  foldedRuleConflicts,
];

export function conflictsWithin(job: JobLayer): readonly Complaint[] {
  return ownChecks.flatMap((check) => check(job));
}

export function missingFrom(job: JobLayer): readonly Complaint[] {
  return wholeChecks.flatMap((check) => check(job));
}

/** The connection that a job names must exist. */
export function unknownConnection(job: JobLayer, connections: readonly string[]): readonly Complaint[] {
  const name = job.target?.connection;
  if (name === undefined || connections.includes(name) || usesEnvironment(name)) return [];
  const near = didYouMean(name, connections);
  const known = connections.length === 0 ? 'the file has no connections' : `known: ${connections.join(', ')}`;
  return [
    { at: '/target/connection', message: 'there is no connection of this name', fix: near === undefined ? known : `did you mean ${near}?` },
  ];
}

const places = ['path', 'query', 'table'] as const;

function sourceConflicts(source: SourceLayer): readonly Complaint[] {
  const named = places.filter((key) => source[key] !== undefined);
  const found: Complaint[] = [];
  for (const extra of named.slice(1))
    found.push({ at: `/source/${extra}`, message: `${named[0]} and ${extra} exclude each other`, fix: 'keep one of them' });
  if (source.batch !== undefined && source.path !== undefined) {
    found.push({ at: '/source/batch', message: 'batch is for a query or a table; files have their own load token', fix: 'remove batch' });
  }
  const isText = source.format === undefined || source.format === 'csv';
  for (const key of ['delimiter', 'quote', 'header'] as const) {
    if (source[key] !== undefined && !isText)
      found.push({ at: `/source/${key}`, message: `${key} belongs to format csv, not ${source.format}` });
  }
  if (source.delimiter !== undefined && source.delimiter === source.quote) {
    found.push({ at: '/source/quote', message: 'delimiter and quote are the same character' });
  }
  return found;
}

function ruleConflicts(rule: Omit<ColumnLayer, 'from'>, at: string): readonly Complaint[] {
  const found: Complaint[] = [];
  if (rule.group !== undefined && rule.group === (rule.decimal ?? '.')) {
    const fix = rule.decimal === undefined ? 'name the decimal mark too, such as decimal: ","' : undefined;
    const complaint = { at: `${at}/group`, message: 'the group separator is the decimal mark' };
    found.push(fix === undefined ? complaint : { ...complaint, fix });
  }
  const [first, last] = rule.two_digit_year_range ?? [0, 0];
  if (first > last || last - first > 99) {
    found.push({
      at: `${at}/two_digit_year_range`,
      message: 'expected a first and a last year that span at most 100 years',
      fix: 'such as [1925, 2024]',
    });
  }
  return [...found, ...booleanConflicts(rule, at)];
}

function booleanConflicts(rule: Omit<ColumnLayer, 'from'>, at: string): readonly Complaint[] {
  const truths = new Set(rule.true_values?.map((text) => text.toLowerCase()));
  return (rule.false_values ?? []).flatMap((text, i) =>
    truths.has(text.toLowerCase()) ? [{ at: `${at}/false_values/${i}`, message: 'this text is among true_values too' }] : [],
  );
}

/** A mark of a column and one of the job may be the same. */
function foldedRuleConflicts(job: JobLayer): readonly Complaint[] {
  return [...(job.columns ?? [])].flatMap(([name, rule]) => {
    const at = pointerTo('/columns', name);
    if (ruleConflicts(rule, at).length > 0) return [];
    const { columns: _columns, ...shared } = job;
    return ruleConflicts({ ...shared, ...rule }, at).filter((each) => !ruleConflicts(job, at).some((own) => own.at === each.at));
  });
}

function repeated(names: readonly string[] | undefined, at: string): readonly Complaint[] {
  return (names ?? []).flatMap((name, i) =>
    names?.indexOf(name) === i ? [] : [{ at: `${at}/${i}`, message: 'this name stands here twice' }],
  );
}

function sourceMissing(job: JobLayer): readonly Complaint[] {
  if (job.source === undefined) return [{ at: '', message: 'the job has no source', fix: 'add source: { path: … }' }];
  return places.some((key) => job.source?.[key] !== undefined)
    ? []
    : [{ at: '/source', message: 'the source names nothing to read', fix: 'add path, query or table' }];
}

function targetMissing(job: JobLayer): readonly Complaint[] {
  if (job.target === undefined) return [{ at: '', message: 'the job has no target', fix: 'add target: { connection: …, table: … }' }];
  return (['connection', 'table'] as const).flatMap((key) =>
    job.target?.[key] === undefined ? [{ at: '/target', message: `the key ${key} is missing`, fix: `add ${key}` }] : [],
  );
}

function mergeMissing(job: JobLayer): readonly Complaint[] {
  const found: Complaint[] = [];
  if (job.mode === 'merge' && job.key === undefined) {
    found.push({ at: '/mode', message: 'mode merge needs the columns that identify a row', fix: 'add key: [column]' });
  }
  if (job.merge?.on_duplicate_key === 'keep_latest' && job.merge.order_by === undefined) {
    found.push({
      at: '/merge/on_duplicate_key',
      message: 'keep_latest needs the column that says which row is the latest',
      fix: 'add order_by',
    });
  }
  return found;
}

function partitionMissing(job: JobLayer): readonly Complaint[] {
  if (job.mode !== 'overwrite-partition') return [];
  const { columns, values } = job.partition ?? {};
  if (columns === undefined || values === undefined) {
    const missing = columns === undefined ? 'columns' : 'values';
    return [
      {
        at: '/mode',
        message: `mode overwrite-partition needs partition.${missing}`,
        fix: 'add partition: { columns: [column], values: [value] }',
      },
    ];
  }
  if (values === 'present') return [];
  return values.flatMap((value, i) => {
    const parts = typeof value === 'string' ? 1 : value.length;
    const message = `expected ${columns.length} values, one for each partition column, found ${parts}`;
    return parts === columns.length ? [] : [{ at: `/partition/values/${i}`, message }];
  });
}
