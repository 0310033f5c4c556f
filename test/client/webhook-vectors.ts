import { WebhookVerificationError } from '../../clients/typescript/src/index.ts';

/** The vector published by Svix. */
export const SVIX = {
  secret: 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  now: new Date(1614265330_000),
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  },
};

/** The seed 00..1f, and a body whose bytes differ from its characters. */
export const KASI = {
  secret: `whsk_${Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')}`,
  publicKey: 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
  now: new Date(1767323045_000),
  body: '{"name":"සිංහල ☕"}',
  headers: {
    'webhook-id': 'evt_01J0000000000000000000000',
    'webhook-timestamp': '1767323045',
    'webhook-signature': 'v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw==',
  },
};

/** Why a webhook is refused; throws when it is not. */
export async function reasonOf(verification: Promise<unknown>): Promise<string> {
  const error = await verification.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not refused: ${String(error)}`, { cause: error });
  return error.reason;
}
