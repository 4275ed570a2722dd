/** The text of a configuration to a checked configuration: syntax, then keys and values, then what does not go together. */
import { conflictsWithin, missingFrom, unknownConnection, type Complaint } from './check-job.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { rootShape } from './file-keys.ts';
import { mergeLayers, type AuditLayer, type ConnectionLayer, type JobLayer } from './layer.ts';
import { ConfigFault, pointerTo, type Problem } from './problem.ts';
import { readShape, type Reading } from './read-shape.ts';
import { readYaml } from './read-yaml.ts';
import { acceptedAddresses, tryTargetFromUrl } from './target-url.ts';

interface Root {
  readonly connections?: ReadonlyMap<string, ConnectionLayer>;
  readonly audit?: AuditLayer;
  readonly defaults?: JobLayer;
  readonly jobs?: ReadonlyMap<string, JobLayer>;
  readonly fail_on?: ConfigFile['failOn'];
}

/** Checks the text of a configuration. Throws one `ConfigFault` with every problem found. */
export function checkConfig(text: string, names: { readonly file: string; readonly folder: string }, env: Environment): ConfigFile {
  const { document, problems: syntax, placeOf } = readYaml(text);
  if (syntax.length > 0) throw new ConfigFault(names.file, syntax);
  if (document === undefined || document.contents === null) {
    throw new ConfigFault(names.file, [{ line: 1, column: 1, pointer: '', message: 'the file is empty', fix: 'begin with version: 1' }]);
  }
  const reading: Reading = { document, placeOf, env, problems: [], missing: [], places: new Map() };
  const root = (readShape(document.contents, rootShape, '', reading) ?? {}) as Root;
  const problems = [...reading.problems, ...unfitConnections(root, names.folder, reading), ...unfitJobs(root, reading)];
  if (problems.length > 0) throw new ConfigFault(names.file, problems);
  return {
    ...names,
    connections: root.connections ?? new Map(),
    audit: root.audit ?? {},
    defaults: root.defaults ?? {},
    jobs: root.jobs ?? new Map(),
    failOn: root.fail_on ?? 'error',
    missing: reading.missing,
    places: reading.places,
  };
}

/** An address that no engine understands, found before any job needs it. Its text stays unsaid: it may hold a secret. */
function unfitConnections(root: Root, folder: string, reading: Reading): readonly Problem[] {
  return [...(root.connections ?? [])].flatMap(([name, connection]) => {
    const pointer = pointerTo(pointerTo('/connections', name), 'url');
    const place = reading.places.get(pointer)?.value;
    const isKnown = connection.url !== undefined && !reading.missing.some((problem) => problem.pointer === pointer);
    if (place === undefined || !isKnown) return [];
    const address = tryTargetFromUrl(connection.url, folder);
    if (address === undefined) return [{ ...place, pointer, message: 'expected the address of an engine', fix: `write ${acceptedInFile}` }];
    const hasTable = address.table !== undefined;
    return hasTable
      ? [{ ...place, pointer, message: 'the address of a connection names no table', fix: 'name it under target.table of the job' }]
      : [];
  });
}

const acceptedInFile = acceptedAddresses.replace(/, each.*/, '');

/** Jobs whose own keys are all right are held together with the defaults; others have said enough. */
function unfitJobs(root: Root, reading: Reading): readonly Problem[] {
  const connections = [...(root.connections?.keys() ?? [])];
  const defaults = root.defaults ?? {};
  const ofDefaults = conflictsWithin(defaults).map((each) => placed(each, ['/defaults'], reading));
  const ofJobs = [...(root.jobs ?? [])].flatMap(([name, job]) => {
    const pointer = pointerTo('/jobs', name);
    const own = conflictsWithin(job);
    const broken = own.length + ofDefaults.length > 0 || hasProblem(reading, [pointer, '/defaults']);
    const whole = mergeLayers(defaults, job);
    const unknown = hasProblem(reading, ['/connections']) ? [] : unknownConnection(whole, connections);
    const found = broken ? own : [...missingFrom(whole), ...unknown];
    return found.map((each) => placed(each, [pointer, '/defaults'], reading));
  });
  return [...ofDefaults, ...ofJobs];
}

function hasProblem(reading: Reading, pointers: readonly string[]): boolean {
  return reading.problems.some((problem) =>
    pointers.some((pointer) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`)),
  );
}

/** The place of a complaint: the value it is about, in the job or in the defaults, else the nearest key around it. */
function placed(complaint: Complaint, homes: readonly string[], reading: Reading): Problem {
  const { at, ...what } = complaint;
  for (const home of homes) {
    const exact = reading.places.get(home + at);
    if (exact !== undefined) return { ...(at === '' || isKeyPlace(at) ? exact.key : exact.value), pointer: home + at, ...what };
  }
  const pointer = (homes[0] ?? '') + at;
  let around = pointer;
  while (around !== '' && !reading.places.has(around)) around = around.slice(0, around.lastIndexOf('/'));
  return { ...(reading.places.get(around)?.key ?? { line: 1, column: 1 }), pointer, ...what };
}

/** A block that lacks something is shown at its name. */
function isKeyPlace(at: string): boolean {
  return at === '/source' || at === '/target';
}
