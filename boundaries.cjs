// Folder → contract and allowed imports. This table is the architecture: it drives the import checker (.dependency-cruiser.cjs)
// and the table in ARCHITECTURE.md, which test/structure compares with it.
//
// path      a folder or file below src/, or ui; `*` stands for one folder name
// contract  what the folder is for, in one sentence
// imports   other folders or files it may import; its own folder and core/fault.ts are always allowed
// node      whether node:* modules are allowed
// npm       npm packages that are allowed; `types:` before a name allows its types only

/** @typedef {{ path: string, contract: string, imports: string[], node: boolean, npm: string[] }} Boundary */

const model = 'core/model';
const divergences = 'core/divergences';
const plan = 'core/plan';
const render = 'core/render';
const record = 'core/record';

/** @type {Boundary[]} */
module.exports = [
  {
    path: 'core/fault.ts',
    contract: 'The one error class that is thrown, and its closed list of codes.',
    imports: [],
    node: false,
    npm: [],
  },
  {
    path: model,
    contract: 'The nouns: logical types, columns, schemas, names and policies.',
    imports: [],
    node: false,
    npm: [],
  },
  {
    path: 'core/schema-text',
    contract: 'Schemas from text and to text: DDL, JSON Schema, trees.',
    imports: [model],
    node: false,
    npm: [],
  },
  {
    path: divergences,
    contract: 'Every way in which two schemas, or a value and its type, can disagree, one file each, with words for people.',
    imports: [model],
    node: false,
    npm: [],
  },
  {
    path: 'core/compare',
    contract: 'Two schemas in, an ordered list of divergences out.',
    imports: [model, divergences],
    node: false,
    npm: [],
  },
  {
    path: 'core/coercions',
    contract: 'For one pair of types, how one becomes the other, and what it may lose.',
    imports: [model, divergences],
    node: false,
    npm: [],
  },
  {
    path: plan,
    contract: 'Schemas, divergences and policy in; one engine-neutral, hashable plan out, with the reason for each step.',
    imports: [model, divergences, 'core/coercions', 'core/compare'],
    node: false,
    npm: [],
  },
  {
    path: render,
    contract: 'A plan and a dialect in; statements, or the gaps that prevent them, out.',
    imports: [model, 'core/coercions', plan],
    node: false,
    npm: [],
  },
  {
    path: record,
    contract: 'What a run saw, folded into one record with counts and examples.',
    imports: [model, divergences, plan, render],
    node: false,
    npm: [],
  },
  {
    path: 'core/verify',
    contract: 'A plan and a record in; a verdict out.',
    imports: [model, divergences, plan, record],
    node: false,
    npm: [],
  },
  {
    path: 'run',
    contract: 'The only place where things happen in order: asks the engine, counts, decides, commits, keeps the record.',
    imports: ['core/**', 'sources', 'engines/registry.ts', 'config/target-url.ts', 'config/redact.ts', 'version.ts'],
    node: true,
    npm: [],
  },
  {
    path: 'engines/*',
    contract: 'Everything we know of one database.',
    imports: [
      model,
      divergences,
      'core/coercions',
      'core/schema-text',
      plan,
      render,
      record,
      'run/engine.ts',
      'run/effects.ts',
      'sources',
      'config/redact.ts',
      'engines/temporal-law.ts',
      // The embedded reader of files: a malformed record is the same on every engine.
      'engines/duckdb',
    ],
    node: true,
    npm: [
      '@duckdb/node-api',
      'pg',
      'pg-copy-streams',
      '@connectrpc/connect',
      '@connectrpc/connect-node',
      '@bufbuild/protobuf',
      '@uwdata/flechette',
    ],
  },
  {
    path: 'engines/temporal-law.ts',
    contract: 'How the readers of a column of dates and times share its texts, the same on every engine.',
    imports: ['core/coercions'],
    node: false,
    npm: [],
  },
  {
    path: 'engines/registry.ts',
    contract: 'Which engine answers which address; its code is imported when it is asked for.',
    imports: ['engines/*', 'run/engine.ts'],
    node: false,
    npm: [],
  },
  {
    path: 'sources',
    contract: 'Source formats and their options, described; patterns expanded, the integrity of files checked.',
    imports: [model, 'run/engine.ts'],
    node: true,
    npm: ['fzstd'],
  },
  {
    path: 'reports',
    contract: 'A run record turned into text; writes no file.',
    imports: [model, 'core/schema-text', divergences, plan, record, 'version.ts'],
    node: false,
    npm: ['picocolors', '@types/sarif'],
  },
  {
    path: 'config',
    contract: '`schemalign.yaml` and flags, checked and turned into jobs.',
    imports: [model, 'core/schema-text', divergences],
    node: true,
    npm: ['yaml', 'ajv'],
  },
  {
    path: 'propose',
    contract: 'Rules proposed from profiled data.',
    imports: ['core/**', 'run'],
    node: true,
    npm: [],
  },
  {
    path: 'alerts',
    contract: 'A run record sent to whom it concerns, once per new divergence.',
    imports: [record],
    node: true,
    npm: [],
  },
  {
    path: 'cli',
    contract: 'Arguments, files, terminal and exit codes; no decisions.',
    imports: ['**'],
    node: true,
    npm: ['commander', 'picocolors', 'yaml'],
  },
  {
    path: 'version.ts',
    contract: 'The version of this package.',
    imports: [],
    node: false,
    npm: [],
  },
  {
    path: 'library.ts',
    contract: 'The small functions of the library that need an engine; the others are re-exported as they are.',
    imports: ['**'],
    node: true,
    npm: [],
  },
  {
    path: 'index.ts',
    contract: 'The list of what we promise; re-exports only.',
    imports: ['**'],
    node: false,
    npm: [],
  },
];
