/** Thrown by a factory whose engine has no table such as the case asks for: the story is not run, and the reason is printed. */
export class CannotHold extends Error {}
