/** The YAML library. It is CommonJS: required so, its many files are not searched for exports first, which would cost every start. */
import { createRequire } from 'node:module';

export type { Document, Node, Pair, YAMLError, YAMLMap } from 'yaml';

const yaml = createRequire(import.meta.url)('yaml') as typeof import('yaml');

export const { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, parseDocument, Scalar, YAMLSeq } = yaml;
export type Scalar<T = unknown> = import('yaml').Scalar<T>;
export type YAMLSeq<T = unknown> = import('yaml').YAMLSeq<T>;
export type LineCounter = import('yaml').LineCounter;
