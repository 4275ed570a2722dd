import type { Finding } from '../../src/core/record/finding.ts';
import type { Severity } from '../../src/core/model/severity.ts';

/** What the reader has chosen on the page. */
export interface Choice {
  readonly severity: Severity | 'all';
  readonly kind: string;
  readonly query: string;
  /** Only findings that the run before did not have. */
  readonly onlyFresh: boolean;
  /** Column whose findings and facts are shown. */
  readonly column: string | null;
  readonly finding: Finding | null;
  readonly columnQuery: string;
  /** List only columns with findings. */
  readonly onlyMarked: boolean;
  /** Columns whose parts are not listed. */
  readonly closed: ReadonlySet<string>;
}

export const nothingChosen: Choice = {
  severity: 'all',
  kind: '',
  query: '',
  onlyFresh: false,
  column: null,
  finding: null,
  columnQuery: '',
  onlyMarked: false,
  closed: new Set(),
};

export interface Store {
  readonly choice: () => Choice;
  readonly choose: (change: Partial<Choice>) => void;
  readonly watch: (listener: (choice: Choice, before: Choice) => void) => void;
}

/** Holds the choice and tells everyone of changes, in the order in which they asked. */
export function createStore(first: Choice): Store {
  let current = first;
  const listeners: ((choice: Choice, before: Choice) => void)[] = [];
  return {
    choice: () => current,
    choose: (change) => {
      const before = current;
      current = { ...current, ...change };
      for (const listener of listeners) listener(current, before);
    },
    watch: (listener) => void listeners.push(listener),
  };
}
