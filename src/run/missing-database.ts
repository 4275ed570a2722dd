import { redactUrl } from '../config/redact.ts';
import { Fault } from '../core/fault.ts';
import type { Engine } from './engine.ts';

/** For those who only look: a database that is not there holds nothing to look at. @throws Fault NOT_FOUND */
export function checkDatabase({ isMissing, url }: Engine): void {
  if (isMissing === true) throw new Fault('NOT_FOUND', `the database ${redactUrl(url)} does not exist`, { fix: 'Mend the address.' });
}
