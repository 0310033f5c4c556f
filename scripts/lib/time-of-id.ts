/** The ten characters of an id that are the time of a moment, in SQL; both are expressions. See `newId`. */
export const timeOfId = (moment: string): string =>
  Array.from({ length: 10 }, (_, place) => {
    const digit = `((extract(epoch from ${moment}) * 1000)::bigint >> ${45 - 5 * place}) & 31`;
    return `substr('0123456789abcdefghjkmnpqrstvwxyz', (${digit})::integer + 1, 1)`;
  }).join(' || ');
