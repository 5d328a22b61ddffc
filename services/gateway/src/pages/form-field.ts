import { html, NOTHING, type Html } from '@fiado/chassis/html';

/** A field of a form: a text, or one of the options. */
export interface FormField {
  name: string;
  label: string;
  /** What is wrong with a value that was refused. */
  wrong: string;
  hint?: string;
  /** Of a text, in characters. */
  maxLength?: number;
  type?: 'text' | 'email';
  autocomplete?: string;
  options?: ReadonlyArray<readonly [value: string, name: string]> | undefined;
  isOptional?: true;
}

/** A field with its label and its hint; where its value was refused, with what is wrong. */
export function formField(field: FormField, value: string, isWrong: boolean): Html {
  const { name, label, hint, wrong, options, isOptional } = field;
  const { maxLength = 0, type = 'text', autocomplete = 'off' } = field;
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(isWrong ? [`${name}-wrong`] : []),
  ].join(' ');
  const more = html`${isWrong ? html`aria-invalid="true"` : NOTHING}
  ${described === '' ? NOTHING : html`aria-describedby="${described}"`}
  ${isOptional === true ? NOTHING : html`required`}`;
  const control =
    options === undefined
      ? html`<input
          id="${name}"
          name="${name}"
          value="${value}"
          type="${type}"
          maxlength="${String(maxLength)}"
          autocomplete="${autocomplete}"
          ${more}
        />`
      : html`<select id="${name}" name="${name}" ${more}>
          <option value="">Elige una opción</option>
          ${options.map(([one, called]) => {
            const selected = one === value ? html`selected` : NOTHING;
            return html`<option value="${one}" ${selected}>${called}</option>`;
          })}
        </select>`;
  return html`<label for="${name}">${label}</label>
    ${hint === undefined ? NOTHING : html`<p id="${name}-hint" class="quiet">${hint}</p>`}
    ${control} ${isWrong ? html`<p id="${name}-wrong" class="wrong">${wrong}</p>` : NOTHING}`;
}
