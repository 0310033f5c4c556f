/** What is deleted after a time is found by that time. */
export const name = '0140-sweep-indexes';

export const indexes = {
  incidents_over: 'incidents (resolved_at) where resolved_at is not null',
  login_throttle_idle: 'login_throttle (window_start)',
};
