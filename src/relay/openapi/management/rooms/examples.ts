/** Ids that the examples of the document have in common, so that they tell one story. */
export const exampleIds = {
  account: 'acc_0f6c1e5a9b7d4c3e8a2f1b0d9c8e7f6a',
  user: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  cluster: 'cl_8a1f0c2e4b6d4f7091a3b5c7d9e1f203',
  otherCluster: 'cl_3e5a7c9b1d2f4a6880b2d4f6a8c0e1f2',
  node: 'nd_2b4d6f80a1c3e5f7092b4d6f80a1c3e5',
  key: 'key_q3Zr8TnV0aLk',
  invite: 'inv_7YpB2mXcWd9E',
  operation: 'op_9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3',
  event: 'evt_1a2b3c4d5e6f708192a3b4c5d6e7f809',
  request: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352',
  cliToken: 'cli_Rk2v9XwQ4tLs',
} as const;

/** 20 November 2025, 10:00 UTC. */
export const EXAMPLE_SECONDS = 1_763_632_800;
export const EXAMPLE_TIME = '2025-11-20T10:00:00.000Z';

export const SECRET_PLACEHOLDER = '…';
