// The import rules, made from boundaries.cjs. Type-only imports count like any other.
const boundaries = require('./boundaries.cjs');

const literally = (text) => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
const pattern = (path) =>
  literally(path)
    .replaceAll('**', '.+')
    .replace(/(?<!\.)\*/g, '[^/]+');

/** Files of an entry: the folder with everything below, or the one file. A wildcard segment is captured, so that one engine cannot import another. */
const filesOf = (path) => {
  const inner = literally(path).replaceAll('*', '([^/]+)');
  return path.endsWith('.ts') ? `^src/${inner}$` : `^src/${inner}/`;
};
const ownFiles = (path) => {
  const inner = literally(path).replaceAll('*', '$1');
  return path.endsWith('.ts') ? `^src/${inner}$` : `^src/${inner}/`;
};
const target = (path) => (path === '**' ? '^src/' : `^src/${pattern(path)}${path.endsWith('.ts') || path.endsWith('**') ? '' : '/'}`);
const packagePattern = (name) => `(^|/)node_modules/${literally(name)}(/|$)`;

const tests = '\\.test\\.ts$';

const folderRules = boundaries.flatMap((entry) => {
  const from = { path: filesOf(entry.path), pathNot: tests };
  const local = [ownFiles(entry.path), '^src/core/fault\\.ts$', ...entry.imports.map(target)];
  return [
    {
      name: `${entry.path} imports only what its line in boundaries.cjs allows`,
      severity: 'error',
      from,
      to: { path: '^(src|ui|test|scripts)/', pathNot: local },
    },
    ...(entry.node ? [] : [{ name: `${entry.path} uses no node:*`, severity: 'error', from, to: { dependencyTypes: ['core'] } }]),
    {
      name: `${entry.path} uses only its npm packages`,
      severity: 'error',
      from,
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['node_modules/@types/node/', ...entry.npm.map(packagePattern)],
      },
    },
  ];
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: 'every file below src belongs to a folder of boundaries.cjs',
      severity: 'error',
      from: { path: '^src/', pathNot: [...boundaries.map((entry) => filesOf(entry.path)), tests] },
      to: {},
    },
    {
      name: 'clients of databases are imported by driver.ts alone',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/engines/[^/]+/driver\\.ts$', tests] },
      to: { path: packagePattern('@duckdb/node-api') },
    },
    {
      name: 'the registry of engines reaches drivers by import() only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/engines/[^/]+/', tests] },
      to: { path: '^src/engines/[^/]+/', dynamic: false, pathNot: '^src/engines/[^/]+/(dialect\\.ts|quote\\.ts|coerce/)' },
    },
    {
      name: 'the page knows the run record and the words of reports, nothing else of src',
      severity: 'error',
      from: { path: '^ui/src/', pathNot: tests },
      to: { path: '^src/', pathNot: '^src/(core/record/|core/model/severity|reports/)' },
    },
    { name: 'no cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'everything imported exists', severity: 'error', from: { path: '^(src|test)/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
