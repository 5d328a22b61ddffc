/** Where documents are in an S3 store. */
export interface S3Place {
  bucket: string;
  /** Prefix of all keys; empty, or with a slash at its end. */
  prefix: string;
  region: string;
  /** Endpoint of a store that is not Amazon's. */
  endpoint: string | undefined;
}

/** What UPLOADS_URL and EXPORTS_URL may look like, for messages. */
export const S3_FORM =
  "must be like s3://bucket/prefix?region=us-east-1, and for a store that is not Amazon's with &endpoint=https://host; without credentials";

const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
/** No character that a path or a signature would encode. */
const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/;
const REGION = /^[a-z\d-]+$/;

/**
 * Reads an UPLOADS_URL or EXPORTS_URL.
 * @returns undefined for any other text
 */
export function s3PlaceOf(text: string): S3Place | undefined {
  if (!URL.canParse(text)) return undefined;
  const {
    protocol,
    username,
    password,
    host: bucket,
    pathname,
    searchParams,
    hash,
  } = new URL(text);
  const { region = '', endpoint, ...others } = Object.fromEntries(searchParams);
  const path = pathname.replaceAll(/^\/|\/$/g, '');
  const isRead =
    protocol === 's3:' &&
    [username, password, hash, ...Object.keys(others)].join('') === '' &&
    BUCKET.test(bucket) &&
    (path === '' || PREFIX.test(path)) &&
    REGION.test(region) &&
    (endpoint === undefined || isEndpoint(endpoint));
  return isRead ? { bucket, prefix: path === '' ? '' : `${path}/`, region, endpoint } : undefined;
}

function isEndpoint(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
