import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { textParam } from '@fiado/chassis/http/request';
import { AppError } from '@fiado/contracts/errors';
import {
  kycConsentCall,
  kycStepCall,
  openKycLinkCall,
  takesStep,
  type KycConsent,
  type KycLinkAnswer,
  type KycLinkQuestion,
  type KycStep,
  type KycStepAnswer,
  type ValidKycLink,
} from '@fiado/contracts/kyc-link';
import type { Context } from '../context';
import { isRefusal } from './answer-failure';
import { textIn } from './forms';
import { DATA_NOT_VALID, NO_STORE_DATA, storeDataIn, storeDataPage } from './kyc-store-data';
import {
  APPROVED_PAGE,
  BUSY,
  consentPage,
  FLAWS,
  flawedPhoto,
  IN_REVIEW_PAGE,
  NO_PHOTO,
  NO_PHOTOS_TODAY,
  NOT_A_PHOTO,
  PHOTO_STEPS,
  photoPage,
  photoStepOf,
  reviewPage,
  SAVED,
  STORE_DATA_PATH,
  TOO_LARGE_PHOTO,
  TOO_MANY_PHOTOS,
  TOO_SLOW_PHOTO,
  UNKNOWN_KYC_PAGE,
  UNREADABLE_PHOTO,
  type PhotoStep,
} from './kyc-views';
import type { Notice, Page } from './layout';
import { extensionOf, formLength, readPhoto } from './photos';
import { sendPage } from './send-page';

const NOTICE_OF = { none: NO_PHOTO, 'too-large': TOO_LARGE_PHOTO, 'too-slow': TOO_SLOW_PHOTO };
/** In the address after a form: the page shows the notice of success. */
const SAVED_WELL = 'guardado';
/** Format of a token; any other text is not forwarded. */
const TOKEN = /^[\w-]{1,100}$/;

/** GET /kyc/{token}: the first step that is missing. */
export function handleOpenKycLink(context: Context): RequestHandler {
  return async (req, res) => {
    const notice = noticeIn(req);
    const link = await openLink(context, tokenOf(req));
    sendPage(res, link.valid ? pageOfLink(context, req, { link, notice }) : UNKNOWN_KYC_PAGE);
  };
}

/** GET /kyc/{token}/{step}: a step that may be sent again; otherwise the first missing one. */
export function handleShowKycStep(context: Context): RequestHandler {
  return async (req, res) => {
    const link = await openLink(context, tokenOf(req));
    const name = textParam(req, 'step');
    const photo = photoStepOf(name);
    const step = name === STORE_DATA_PATH ? 'CORNER_STORE_INFORMATION' : photo?.step;
    if (step === undefined || !link.valid || !takesStep(link, step)) goBack(req, res);
    else if (photo === undefined) sendPage(res, storeDataPage(pathOf(req), NO_STORE_DATA));
    else sendPage(res, photoPage(pathOf(req), photo));
  };
}

/** POST /kyc/{token}/aviso. A form that shows another version of the notice consents to nothing. */
export function handleConsent(context: Context): RequestHandler {
  return async (req, res) => {
    const { privacyUrl: noticeUrl, privacyVersion: noticeVersion } = context.lender;
    if (TOKEN.test(tokenOf(req)) && textIn(req.body, 'version') === noticeVersion) {
      const consent: KycConsent = { token: tokenOf(req), noticeVersion, noticeUrl };
      await context.accounts.tell(kycConsentCall, consent);
    }
    goBack(req, res);
  };
}

/** POST /kyc/{token}/{step}: a form with one picture. */
export function handleSendPhoto(context: Context): RequestHandler {
  return async (req, res) => {
    const photo = photoStepOf(textParam(req, 'step'));
    if (photo === undefined) throw new AppError('ROUTE_NOT_FOUND');
    // Counted before anything is asked, because a refused form is read too, up to its end.
    if (!countForm(context, req, context.addressOf(req))) {
      res.set('Connection', 'close');
      sendPage(res, photoPage(pathOf(req), photo, BUSY));
      return;
    }
    // The body of a link that takes no picture is not kept.
    const link = await openLink(context, tokenOf(req));
    const isTaken = link.valid && takesStep(link, photo.step);
    const taken = isTaken ? await takePhoto(context, req, { link, photo }) : undefined;
    if (taken === undefined) goBack(req, res);
    else if (taken === SAVED_WELL) goBack(req, res, SAVED_WELL);
    else if (typeof taken === 'string') goBack(req, res, `${taken}-${photo.path}`);
    else sendPage(res, photoPage(pathOf(req), photo, taken));
  };
}

/** POST /kyc/{token}/datos. */
export function handleSendStoreData(context: Context): RequestHandler {
  return async (req, res) => {
    const data = storeDataIn(req.body);
    const { cornerStoreName, ...information } = data.values;
    const isRefused =
      data.wrong.length > 0 ||
      (
        await record(context, req, {
          step: 'CORNER_STORE_INFORMATION',
          information: { ...information, cornerStoreName },
        })
      ).outcome === 'refused';
    if (isRefused) sendPage(res, storeDataPage(pathOf(req), data, DATA_NOT_VALID));
    else goBack(req, res, SAVED_WELL);
  };
}

/** POST /kyc/{token}/terminar. */
export function handleFinishKyc(context: Context): RequestHandler {
  return async (req, res) => {
    await record(context, req, { step: 'COMPLETED' });
    goBack(req, res);
  };
}

function pageOfLink(
  { lender }: Context,
  req: Request,
  { link, notice }: { link: ValidKycLink; notice: Notice | undefined },
): Page {
  const path = pathOf(req);
  const { status, missingSteps, consented } = link;
  if (status === 'approved') return APPROVED_PAGE;
  if (missingSteps.length === 0) return IN_REVIEW_PAGE;
  if (!consented) return consentPage(path, lender);
  const photo = PHOTO_STEPS.find(({ step }) => missingSteps.includes(step));
  if (photo !== undefined) return photoPage(path, photo, notice);
  if (missingSteps.includes('CORNER_STORE_INFORMATION')) {
    return storeDataPage(path, NO_STORE_DATA, notice);
  }
  return reviewPage(path, notice);
}

/**
 * Counts the bytes of a form for an address or a wholesaler until its answer.
 * @returns false when it has sent too many of late
 * @throws AppError MALFORMED_REQUEST for a form without a length
 */
function countForm(context: Context, req: Request, key: string): boolean {
  const count = context.limitBodies(key);
  const length = formLength(req);
  req.res?.once('close', () => count.end(req.res?.statusCode ?? 0));
  try {
    count.add(length);
    return true;
  } catch (error) {
    if (isRefusal(error, 'RATE_LIMIT_EXCEEDED')) return false;
    throw error;
  }
}

/**
 * Reads and records a picture. Its bytes count for the wholesaler that made the link, too.
 * @returns why it is refused, or how it was recorded
 */
async function takePhoto(
  context: Context,
  req: Request,
  { link, photo }: { link: ValidKycLink; photo: PhotoStep },
): Promise<Notice | typeof SAVED_WELL | keyof typeof FLAWS> {
  const giveBack = context.limitUploads({
    link: tokenOf(req),
    wholesalerId: link.wholesalerId,
    address: context.addressOf(req),
  });
  if (giveBack === undefined) return BUSY;
  req.res?.once('close', giveBack);
  if (!countForm(context, req, `kyc:${link.wholesalerId}`)) return BUSY;
  try {
    const tooSlow = new AbortController();
    context.arrivals.allowSlow(req, () => tooSlow.abort());
    const read = await readPhoto(req, tooSlow.signal);
    if ('problem' in read) return NOTICE_OF[read.problem];
    const fileExtension = extensionOf(read.bytes);
    if (fileExtension === undefined) return NOT_A_PHOTO;
    const base64Content = read.bytes.toString('base64');
    const content = { step: photo.step, document: { fileExtension, base64Content } };
    const { outcome, isSmall = false, isBlurred = false } = await record(context, req, content);
    if (outcome === 'refused') return UNREADABLE_PHOTO;
    if (isSmall) return 'chica';
    return isBlurred ? 'borrosa' : SAVED_WELL;
  } catch (error) {
    if (isRefusal(error, 'DOCUMENT_LIMIT_REACHED')) return TOO_MANY_PHOTOS;
    if (isRefusal(error, 'TOO_MANY_ATTEMPTS')) return NO_PHOTOS_TODAY;
    if (isRefusal(error, 'RATE_LIMIT_EXCEEDED')) return BUSY;
    throw error;
  }
}

/** @param content a body of recordOnboardingStep */
async function record(
  { accountsForImages, lender }: Context,
  req: Request,
  content: object,
): Promise<KycStepAnswer> {
  const token = tokenOf(req);
  if (!TOKEN.test(token)) return { outcome: 'not-taken' };
  const step: KycStep = { token, noticeVersion: lender.privacyVersion, content };
  return accountsForImages.tell(kycStepCall, step);
}

async function openLink({ accounts, lender }: Context, token: string): Promise<KycLinkAnswer> {
  if (!TOKEN.test(token)) return { valid: false };
  const question: KycLinkQuestion = { token, noticeVersion: lender.privacyVersion };
  return accounts.ask(openKycLinkCall, question);
}

/** Redirects to the page of the link, which shows the next step, so that a reload sends nothing. */
function goBack(req: Request, res: Response, notice?: string): void {
  res.redirect(303, `${pathOf(req)}${notice === undefined ? '' : `?aviso=${notice}`}`);
}

/** What was done before the redirect, by a closed list of names. */
function noticeIn(req: Request): Notice | undefined {
  const { aviso } = req.query;
  if (aviso === SAVED_WELL) return SAVED;
  for (const flaw of Object.keys(FLAWS) as Array<keyof typeof FLAWS>) {
    const photo = PHOTO_STEPS.find(({ path }) => aviso === `${flaw}-${path}`);
    if (photo !== undefined) return flawedPhoto(pathOf(req), photo, flaw);
  }
  return undefined;
}

function tokenOf(req: Request): string {
  return textParam(req, 'token');
}

function pathOf(req: Request): string {
  return `/kyc/${encodeURIComponent(tokenOf(req))}`;
}

/** Runs in the browser, so it is no part of the build. */
const SCRIPT = readFileSync(resolve(__dirname, '../../public/kyc-photo.js'), 'utf8');
/** A day: the pages of one onboarding load it once. It holds no secret. */
const CACHE_SECONDS = 86_400;

/** GET /kyc/foto.js: the script that shrinks a picture before its form is sent. */
export function handleShowPhotoScript(): RequestHandler {
  return (_req, res) => {
    res.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).type('js').send(SCRIPT);
  };
}
