/** When a mail last told of incidents is asked every few seconds. */
export const name = '0152-incident-mail-index';

export const indexes = { incidents_mailed: 'incidents (mailed_at) where mailed_at is not null' };
