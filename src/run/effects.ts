/** The counted effects of a plan on the rows of its source: what an engine answers after staging. Plain data. */

export interface FileEffect {
  readonly file: number;
  /** Records, malformed ones included. */
  readonly read: number;
}

/** Records of one file in which the value of a path met one fault. */
export interface IssueCount {
  readonly file: number;
  readonly path: string | null;
  /** Kind and reason: `invalid_value:out_of_range`. */
  readonly code: string;
  readonly outcome: 'rejected' | 'nulled' | 'defaulted' | 'altered';
  readonly records: number;
  /** Those of them that are loaded; the others were refused for another fault or lost to another row. */
  readonly loaded: number;
}

export interface PlacedExample {
  readonly path: string | null;
  readonly code: string;
  readonly value: string | null;
  /** What is stored in its place, as text, where a rule has altered it and the engine tells. */
  readonly stored?: string | null;
  readonly file: number | null;
  readonly record: number | null;
  readonly line: number | null;
}

export interface PathCount {
  readonly file: number;
  readonly path: string;
  /** The type in which the values came, for remarks on types. */
  readonly from?: string;
  /** For extra columns: which of the plan's, as several can be nameless. */
  readonly extra?: number;
  readonly records: number;
}

export interface DuplicateKeys {
  readonly keys: number;
  readonly rows: number;
  /** Key values joined by commas. */
  readonly examples: readonly string[];
  /** Rows left out because another row of their key wins. */
  readonly superseded: number;
  /** Rows of keys on which no row wins. */
  readonly tied: number;
}

export interface PartitionEffect {
  readonly values: Readonly<Record<string, string | null>>;
  readonly before: number;
  readonly after: number;
}

/** How the refused texts of a date column without declared formats look. */
export interface DayMonthEffect {
  readonly path: string;
  /** Refused texts. */
  readonly values: number;
  /** Those that look like day and month with a year behind. */
  readonly looks: number;
  readonly dayFirst: number;
  readonly monthFirst: number;
  /** Texts that read one way only, and so decide for the whole column. */
  readonly deciding: readonly string[];
}

export interface Malformed {
  readonly file: number;
  readonly record: number;
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

export interface Broken {
  readonly file: number;
  readonly record: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Effects {
  readonly files: readonly FileEffect[];
  readonly read: number;
  /** Rows that go into the target. */
  readonly loaded: number;
  /** Records that are refused, malformed ones included. */
  readonly quarantined: number;
  readonly superseded: number;
  readonly malformed: readonly Malformed[];
  readonly broken: readonly Broken[];
  readonly issues: readonly IssueCount[];
  readonly examples: readonly PlacedExample[];
  readonly notes: readonly PathCount[];
  /** Extra columns with the records that hold a value in them. */
  readonly extras: readonly PathCount[];
  /** Keys and nested fields that the plan did not know. */
  readonly unknown: readonly PathCount[];
  /** Records without the column, where records can lack one. */
  readonly absent: readonly PathCount[];
  readonly dayMonth: readonly DayMonthEffect[];
  readonly duplicates: DuplicateKeys;
  readonly outside: number;
}
