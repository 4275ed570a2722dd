/**
 * How bad a divergence is. `error`: the load stops. `warning`: a row or value was refused, altered, defaulted or ignored, or the structure
 * differs. `remark`: for information.
 */
export type Severity = 'error' | 'warning' | 'remark';
