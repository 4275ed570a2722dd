/** One link of the chain of causes, the outermost first. */
export interface SparkCause {
  readonly message: string;
  readonly errorClass?: string;
  readonly sqlState?: string;
  readonly javaClass?: string;
}

/** What Spark said when it refused a call: the cause of the Fault that is thrown. */
export class SparkError extends Error {
  override readonly name = 'SparkError';
  /** Of the outermost error that has one, such as `TABLE_OR_VIEW_NOT_FOUND` or `DELTA_MERGE_UNRESOLVED_EXPRESSION`; undefined for some. */
  readonly errorClass: string | undefined;
  /** Five characters of standard SQL, such as 42P01. */
  readonly sqlState: string | undefined;
  /** The parts of the message by name, such as `relationName`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The part of the statement that is meant, where Spark names one. */
  readonly fragment: string | undefined;
  readonly causes: readonly SparkCause[];

  constructor(causes: readonly SparkCause[], more: { parameters?: Readonly<Record<string, string>>; fragment?: string | undefined } = {}) {
    super(tellCauses(causes));
    this.causes = causes;
    this.errorClass = causes.find(({ errorClass }) => errorClass !== undefined)?.errorClass;
    this.sqlState = causes.find(({ sqlState }) => sqlState !== undefined)?.sqlState;
    this.parameters = more.parameters ?? {};
    this.fragment = more.fragment;
  }

  /** Whether any error of the chain is of a class, or of one below it: `INVALID_HANDLE` takes `INVALID_HANDLE.SESSION_CHANGED` in. */
  is(errorClass: string): boolean {
    return this.causes.some(({ errorClass: own }) => own === errorClass || own?.startsWith(`${errorClass}.`) === true);
  }
}

/** The error that Spark gave, behind whatever was thrown; undefined when there was none. */
export function sparkErrorOf(error: unknown): SparkError | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof SparkError) return one;
  }
  return undefined;
}

/** The outermost message, and the root cause where it says something else. */
function tellCauses(causes: readonly SparkCause[]): string {
  const outer = causes[0] === undefined ? 'an error without words' : tell(causes[0]);
  const inner = [...causes].reverse().find(({ errorClass }) => errorClass !== undefined) ?? causes.at(-1);
  const root = inner === undefined || inner === causes[0] ? '' : tell(inner);
  return root === '' || outer.includes(root) ? outer : `${outer}; the cause: ${root}`;
}

/** Spark adds plans and stack traces to its messages; what a person needs ends with the SQLSTATE, or with the first line. */
function tell({ message, javaClass }: SparkCause): string {
  const withState = /^[\s\S]*?\bSQLSTATE: [0-9A-Z]{5}/.exec(message)?.[0];
  const text = (withState ?? message.split(/\n\s*(?:at |== |'|\+- |Driver stacktrace)/, 1)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();
  return text === '' ? (javaClass ?? 'an error without words') : text;
}
