import { utf8 } from './utf8.ts';

/** The bytes that a webhook signature covers: id "." seconds "." body. */
export function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array {
  const head = utf8(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}
