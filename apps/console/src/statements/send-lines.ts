import { pipeline } from 'node:stream/promises';
import { isUUID } from 'class-validator';
import type { RequestHandler } from 'express';
import { ApiRefusal } from '../api';
import { refusalPage } from '../frame/refusal';
import { sendPage, toSignIn, viewerOf, type ConsoleContext } from '../frame/serve';
import { sayTo } from '../frame/words';

/** The lines of a statement as a file, passed on as it comes: it may have hundreds of thousands. */
export function sendLines(context: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const statementId = String(req.params['statementId']);
    const viewer = await viewerOf(context, req);
    if (viewer === undefined) return toSignIn(res);
    try {
      // Another text would lead to another path.
      if (!isUUID(statementId)) throw new ApiRefusal(404, 'STATEMENT_NOT_FOUND', 'no id');
      const { name, csv } = await viewer.statementLines(statementId);
      res.type('csv').set('Content-Disposition', name);
      await pipeline(csv, res);
    } catch (error) {
      // A part of the file was sent: the browser must not take it for the whole.
      if (res.headersSent) return void res.destroy();
      if (!(error instanceof ApiRefusal)) throw error;
      sendPage(req, res, refusalPage(error, sayTo(req)), viewer);
    }
  };
}
