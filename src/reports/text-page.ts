import type { createColors } from 'picocolors';
import type { Severity } from '../core/model/severity.ts';

/** What the parts of the text report need to know of the page. */
export interface Page {
  /** Columns, 40 to 100. */
  readonly width: number;
  readonly colors: ReturnType<typeof createColors>;
}

/** Marks stand beside words, so that neither colour nor font is needed to read them. */
export const marks: Record<Severity, string> = { error: '✗', warning: '!', remark: '·' };
