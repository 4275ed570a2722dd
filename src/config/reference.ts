/** docs/reference/configuration.md, made from the tables that check the file. */
import { columnKeys, sharedColumnKeys } from './column-keys.ts';
import {
  auditKeys,
  connectionKeys,
  ignoreShape,
  mergeKeys,
  ownJobKeys,
  partitionKeys,
  rootKeys,
  sourceKeys,
  targetKeys,
} from './file-keys.ts';
import { flagKeys } from './flag-keys.ts';
import { expectation, type Key } from './shape.ts';

interface Section {
  readonly title: string;
  readonly text: string;
  readonly keys: readonly Key[];
  /** Path of the keys among the flags. */
  readonly path: string;
}

const replaceKeys = ownJobKeys.flatMap((key) => (key.name === 'replace' && key.shape.kind === 'object' ? key.shape.keys : []));
const ignoreKeys = ignoreShape.kind === 'list' && ignoreShape.of.kind === 'object' ? ignoreShape.of.keys : [];

const sections: readonly Section[] = [
  { title: 'Top level', path: 'root', keys: rootKeys, text: 'One document in one file, `schemalign.yaml`.' },
  {
    title: '`connections.NAME`',
    path: 'engine',
    keys: connectionKeys,
    text: 'Secrets come from the environment: `postgres://etl:${env:PGPASSWORD}@db.example/sales`.',
  },
  { title: '`audit`', path: 'audit', keys: auditKeys, text: 'The tables that keep runs, issues, quarantined rows, partitions and files.' },
  {
    title: '`jobs.NAME` and `defaults`',
    path: 'job',
    keys: ownJobKeys,
    text: 'Any key of a job may stand under `defaults`, and so may any key of a column rule but `from`. A job wins over `defaults`, a flag over both, and the rule of a column over all three; only `--rule` wins over that.',
  },
  { title: '`source`', path: 'job.source', keys: sourceKeys, text: 'Exactly one of `path`, `query` and `table`.' },
  {
    title: '`target`',
    path: 'job.target',
    keys: targetKeys,
    text: 'On the command line the second operand stands for the connection: `warehouse.duckdb`, or `warehouse.duckdb#main.orders`.',
  },
  {
    title: '`merge`',
    path: 'job.merge',
    keys: mergeKeys,
    text: 'Rows that tie on `order_by` and differ are quarantined, never decided by chance.',
  },
  { title: '`partition`', path: 'job.partition', keys: partitionKeys, text: 'Every incoming row must lie in the named partitions.' },
  { title: '`replace`', path: 'job.partition', keys: replaceKeys, text: 'Guards of mode replace.' },
  { title: '`ignore`', path: '', keys: ignoreKeys, text: 'A list: one entry for each accepted finding.' },
  {
    title: '`columns.NAME`',
    path: 'job',
    keys: columnKeys,
    text: 'By target column. `address.city` and `items[].price` reach into nested data; an exact column name wins over a path. On the command line: `--rule amount.decimal=,`, or `--rule \'"a.b".null_values=?\'` for a name with dots.',
  },
];

const opening = `# Configuration

<!-- Generated from src/config by test/docs/configuration.test.ts. -->

\`schemalign.yaml\` is looked for from the working folder up to the repository root or the home folder; \`--config FILE\` names another. Its JSON Schema is
\`schema/schemalign.schema.json\`: with the line \`# yaml-language-server: $schema=node_modules/schemalign/schema/schemalign.schema.json\` editors complete and check it.

The text is YAML 1.2: \`yes\` and \`no\` are texts, and the word null as a text needs quotes. Numbers and true or false where a text is expected are taken as
written. \`\${env:NAME}\` inside any value is replaced by the environment variable; one that is not set is a fault for the jobs that need it. Relative paths start
from the folder of the file.

Flags take lists between commas (\`--key id,region\`), repeated (\`--key id --key region\`), or as YAML (\`--formats '["MMM d, yyyy", iso]'\`, which items with commas need).
`;

/** The whole page as Markdown. */
export function configurationReference(): string {
  return `${[opening, ...sections.map(page)].join('\n')}`;
}

function page(section: Section): string {
  const rows = section.keys.map(
    (key) => `| ${[named(key), key.meaning, values(key), builtIn(key), flagOf(section.path, key)].map(cell).join(' | ')} |`,
  );
  return `## ${section.title}\n\n${section.text}\n\n| key | meaning | values | built-in | flag |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function named(key: Key): string {
  return key.required === true ? `\`${key.name}\` (required)` : `\`${key.name}\``;
}

function values(key: Key): string {
  if (key.shape.kind === 'choice') return key.shape.values.map((value) => (value === 'null' ? '`"null"`' : `\`${value}\``)).join(', ');
  return expectation(key.shape);
}

function builtIn(key: Key): string {
  return key.builtIn ?? '';
}

function flagOf(path: string, key: Key): string {
  const shared = path === 'job' && sharedColumnKeys.includes(key);
  const found = flagKeys.find((each) => each.path.join('.') === `${path}.${key.name}`);
  return found === undefined || (path === 'job' && !shared && !ownJobKeys.includes(key)) ? '' : `\`--${found.flag}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
