import { html, NOTHING, type Html } from '@fiado/chassis/html';

/** A line above the content of a page: what was done, or what went wrong and what to do next. */
export interface Notice {
  status: number;
  text: string;
  problem: boolean;
}

export function problem(status: number, text: string): Notice {
  return { status, text, problem: true };
}

export function noticeOf(notice: Notice | undefined): Html {
  if (notice === undefined) return NOTHING;
  return html`<p
    class="notice${notice.problem ? ' problem' : ''}"
    role="${notice.problem ? 'alert' : 'status'}"
  >
    ${notice.text}
  </p>`;
}
