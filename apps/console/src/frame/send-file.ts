import { pipeline } from 'node:stream/promises';
import { isUUID } from '@fiado/contracts/class-validator';
import type { Response } from 'express';
import type { ErrorCode } from '@fiado/contracts/errors';
import { ApiRefusal } from '../api';
import { refusalPage } from './refusal';
import { sendPage, toSignIn, viewerOf, type Route } from './serve';
import type { Visit } from './visit';

/** A GET of a signed-in person that is answered with a file, or with the page of a refusal. */
export function fileRoute(
  path: string,
  send: (visit: Visit, res: Response) => Promise<void>,
): Route {
  return {
    method: 'get',
    path,
    handlerOf: (context) => async (req, res) => {
      const viewer = await viewerOf(context, req);
      if (viewer === undefined) return toSignIn(res);
      try {
        await send({ req, viewer }, res);
      } catch (error) {
        // A part of the file was sent: the browser must not take it for the whole.
        if (res.headersSent) return void res.destroy();
        if (!(error instanceof ApiRefusal)) throw error;
        sendPage(req, res, refusalPage(error), viewer);
      }
    },
  };
}

interface File {
  /** Such as text/csv. */
  type: string;
  /** What a made-up id is answered with. */
  notFound: ErrorCode;
  /** Where the API has it. */
  from: (id: string, visit: Visit) => string;
}

/** A file that the API has. @param path with one id */
export function sendFile(path: string, { type, notFound, from }: File): Route {
  const [, name = ''] = /:(\w+)/.exec(path) ?? [];
  return fileRoute(path, async (visit, res) => {
    const id = String(visit.req.params[name]);
    // Another text would lead to another path.
    if (!isUUID(id)) throw new ApiRefusal(404, notFound, 'no id');
    const { disposition, bytes } = await visit.viewer.file(from(id, visit));
    res.type(type).set('Content-Disposition', disposition);
    await pipeline(bytes, res);
  });
}
