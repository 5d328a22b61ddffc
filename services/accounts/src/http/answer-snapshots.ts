import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { SnapshotsQuestion } from '@fiado/shared/contracts/corner-store';
import type { Context } from '../context';
import { answerSnapshots } from '../use-cases/answer-snapshots';

/** POST /internal/snapshots. */
export function handleAnswerSnapshots(context: Context): RequestHandler {
  return async (req, res) => {
    res.json(await answerSnapshots(context, validBody(SnapshotsQuestion, req)));
  };
}
