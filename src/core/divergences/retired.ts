/** Codes that were given out once and have been withdrawn. They are never given out again. */
export const retired: readonly { readonly code: string; readonly name: string; readonly insteadOf: string }[] = [];
