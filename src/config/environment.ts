/** `${env:NAME}` in the texts of the configuration. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Substituted {
  readonly text: string;
  /** Names of variables that are not set. */
  readonly missing: readonly string[];
  /** What stands between the braces and is no variable name. */
  readonly malformed: readonly string[];
}

const reference = /\$\{env:([^}]*)\}/g;

/** Whether the text takes anything from the environment. */
export function usesEnvironment(text: string): boolean {
  return text.search(reference) >= 0;
}

/** Puts the values of variables in place. A variable that is set to nothing is nothing, not missing. */
export function substitute(text: string, env: Environment): Substituted {
  const missing: string[] = [];
  const malformed: string[] = [];
  const result = text.replace(reference, (whole, name: string) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      malformed.push(name);
      return whole;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return { text: result, missing, malformed };
}
