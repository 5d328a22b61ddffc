import { html, type Html } from '@fiado/shared/html';
import type { Viewer } from '../viewer';

/** The hidden field that every form of a signed-in person has. */
export function csrfField({ csrf }: Viewer): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

/** A form that only has a button. */
export function buttonForm(
  viewer: Viewer,
  { action, label, kind = 'second' }: { action: string; label: string; kind?: 'main' | 'second' },
): Html {
  return html`<form method="post" action="${action}">
    ${csrfField(viewer)}<button class="${kind}">${label}</button>
  </form>`;
}

/** A labelled text field. */
export function textField(
  name: string,
  label: string,
  { type = 'text', required = true }: { type?: 'text' | 'email'; required?: boolean } = {},
): Html {
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      maxlength="1000"
      ${required ? html`required` : html``}
    />`;
}
