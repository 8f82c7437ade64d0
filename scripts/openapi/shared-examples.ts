/** Example values by field name, so that the examples of the document are consistent and no record repeats them. */

/** 20 November 2025, 10:00 UTC. */
const SECONDS = 1_763_632_800;
export const EXAMPLE_TIME = '2025-11-20T10:00:00.000Z';

export const sharedExamples: Readonly<Record<string, string | number>> = {
  account_id: 'acc_0f6c1e5a9b7d4c3e8a2f1b0d9c8e7f6a',
  user_id: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  cluster_id: 'cl_8a1f0c2e4b6d4f7091a3b5c7d9e1f203',
  node_id: 'nd_2b4d6f80a1c3e5f7092b4d6f80a1c3e5',
  key_id: 'key_q3Zr8TnV0aLk',
  invite_id: 'inv_7YpB2mXcWd9E',
  credential_id: 'cli_Rk2v9XwQ4tLs',
  selector: 'mdl_0123456789abcdef',
  user_code: 'BCDF-GHJK',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
  ip: '203.0.113.7',
  created: SECONDS,
  expires: SECONDS + 604_800,
  expires_at: SECONDS + 900,
  last_seen: SECONDS,
  last_sign_in: SECONDS,
  last_used: SECONDS,
};
