import type { DocumentStore } from '../document-store';
import { connectToS3, type S3Options } from './connect-to-s3';
import { newDocumentKey } from './new-document-key';

/** Documents as objects of an S3 bucket, for any number of instances. */
export function createS3DocumentStore(options: S3Options): DocumentStore {
  const { bucket: Bucket, prefix } = options.place;
  const { ask, close } = connectToS3(options);
  const place = (key: string) => ({ Bucket, Key: `${prefix}${key}` });

  return {
    async put(content) {
      const key = newDocumentKey();
      await ask(({ PutObjectCommand }, client, signal) =>
        client.send(new PutObjectCommand({ ...place(key), Body: content }), signal),
      );
      return key;
    },
    get: (key) =>
      ask(async ({ GetObjectCommand }, client, signal) => {
        const { Body } = await client.send(new GetObjectCommand(place(key)), signal);
        if (Body === undefined) throw new Error('An object without a body');
        return Buffer.from(await Body.transformToByteArray());
      }),
    async remove(key) {
      await ask(({ DeleteObjectCommand }, client, signal) =>
        client.send(new DeleteObjectCommand(place(key)), signal),
      );
    },
    async *listPutBefore(time) {
      let token: string | undefined;
      do {
        const page = { Bucket, Prefix: prefix, ContinuationToken: token };
        const { Contents = [], NextContinuationToken } = await ask(
          ({ ListObjectsV2Command }, client, signal) =>
            client.send(new ListObjectsV2Command(page), signal),
        );
        yield Contents.flatMap(({ Key = '', LastModified }) =>
          LastModified !== undefined && LastModified < time ? [Key.slice(prefix.length)] : [],
        );
        token = NextContinuationToken;
      } while (token !== undefined);
    },
    close,
  };
}
