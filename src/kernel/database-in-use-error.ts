/** A relay that is not connected to this one runs on the same Postgres database. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  constructor() {
    super('another relay uses the database of DATABASE_URL');
  }
}
