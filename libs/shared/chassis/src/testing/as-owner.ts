import { Client, type ClientConfig } from 'pg';

/** Works as the owner of a database, on a connection of its own. @param session its URL, or more of it */
export async function asOwner<Result>(
  session: string | ClientConfig,
  work: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const owner = new Client(session);
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
