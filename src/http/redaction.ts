const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'refreshToken',
  'apiSecret',
  'secret',
  'otp',
  'bankAccountNumber',
  '["x-signature"]',
  '["x-api-key"]',
  '["set-cookie"]',
];

/** What no log line may show, wherever in it it stands; bodies are never logged at all. */
export const LOG_REDACTION = {
  paths: SECRET_FIELDS.flatMap((field) => {
    const child = field.startsWith('[') ? field : `.${field}`;
    return [field, `*${child}`, `*.*${child}`, `req.headers${child}`];
  }),
  censor: '[hidden]',
};
