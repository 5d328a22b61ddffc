import type { Html } from '@fiado/chassis/html';

/** A page of the console. */
export interface Page {
  status?: number;
  title: string;
  content: Html;
  /** Why a form was refused: above the content, and it gets the focus. */
  problem?: Html;
}

/** Where the browser goes next, after a form. */
export interface Redirect {
  redirect: string;
}
