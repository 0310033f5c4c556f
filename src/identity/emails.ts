/**
 * An e-mail address as it is stored and compared: trimmed and in lower case, so that it is unique whatever its case.
 */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();
