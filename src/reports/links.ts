import { version } from '../version.ts';

/** The reference page of a divergence, as the published package of this version holds it. `schemalign explain CODE` prints the same. */
export const explainUrl = (code: string): string =>
  `https://unpkg.com/schemalign@${version}/docs/reference/divergences/${encodeURIComponent(code)}.md`;
