/** Values that must not appear unencrypted. */
export type NeedleKind = 'phone' | 'code' | 'word' | 'text' | 'secret' | 'image' | 'note';

export interface Needle {
  kind: NeedleKind;
  value: string;
}

/** A text that was searched, and where it is from, such as `accounts.users.metadata`. */
export interface Place {
  place: string;
  text: string;
}

export interface Finding {
  place: string;
  kind: NeedleKind;
  value: string;
  /** What stands around it. */
  excerpt: string;
}

/** Longer forms are looked up by so many of their first characters. */
const GRAM = 6;
/** Of a phone these are its own: country code and leading zeros come and go. */
const NATIONAL_DIGITS = 10;
const EXCERPT = 60;

/**
 * All needles of a run, and the search for them. A text is searched as it is and unescaped (JSON,
 * URL, HTML), for each needle as it is, in base64 at any alignment, in hex and in UTF-16.
 */
export class Needles {
  readonly #phones = new Map<string, Needle>();
  readonly #codes = new Map<string, Needle>();
  readonly #words = new Map<string, Needle>();
  /** By the first characters of each form. */
  readonly #forms = new Map<string, Array<{ form: string; needle: Needle }>>();
  readonly #known = new Set<string>();

  get size(): number {
    return this.#known.size;
  }

  count(kind: NeedleKind): number {
    return [...this.#known].filter((key) => key.startsWith(`${kind} `)).length;
  }

  add(kind: NeedleKind, value: string): void {
    const key = `${kind} ${value}`;
    if (value === '' || this.#known.has(key)) return;
    this.#known.add(key);
    const needle = { kind, value };
    if (kind === 'phone') {
      const national = value.replaceAll(/\D/g, '').slice(-NATIONAL_DIGITS);
      this.#phones.set(national, needle);
      this.#addEncodings(national, needle);
    } else if (kind === 'code') {
      this.#codes.set(value, needle);
      this.#addEncodings(value, needle);
    } else if (/^\p{L}+$/u.test(value) && kind !== 'secret') {
      this.#words.set(plain(value), needle);
      this.#addEncodings(value, needle);
    } else {
      this.#addForm(plain(value), needle);
      this.#addEncodings(value, needle);
    }
  }

  /** Every needle in a text, each once for each place. */
  search({ place, text }: Place): Finding[] {
    const found = new Map<Needle, Finding>();
    for (const one of new Set([text, unescaped(text)])) {
      for (const { needle, at } of this.#hits(one)) {
        const excerpt = one.slice(Math.max(0, at - EXCERPT), at + EXCERPT);
        if (!found.has(needle)) found.set(needle, { place, ...needle, excerpt });
      }
    }
    return [...found.values()];
  }

  *#hits(text: string): Generator<{ needle: Needle; at: number }> {
    // A run of digits in a hash, a fraction or a longer number is no code.
    for (const match of text.matchAll(/(?<![0-9A-Za-z.])\d{6}(?![0-9A-Za-z])/g)) {
      const needle = this.#codes.get(match[0]);
      if (needle !== undefined) yield { needle, at: match.index };
    }
    for (const match of text.matchAll(/\d(?:[\s\-().]{0,2}\d){9,}/g)) {
      const digits = match[0].replaceAll(/\D/g, '');
      for (let end = NATIONAL_DIGITS; end <= digits.length; end += 1) {
        const needle = this.#phones.get(digits.slice(end - NATIONAL_DIGITS, end));
        if (needle !== undefined) yield { needle, at: match.index };
      }
    }
    for (const match of text.matchAll(/\p{L}+/gu)) {
      const needle = this.#words.get(plain(match[0]));
      if (needle !== undefined) yield { needle, at: match.index };
    }
    yield* this.#formsIn(text);
    yield* this.#formsIn(plain(text));
  }

  *#formsIn(text: string): Generator<{ needle: Needle; at: number }> {
    for (let at = 0; at + GRAM <= text.length; at += 1) {
      for (const { form, needle } of this.#forms.get(text.slice(at, at + GRAM)) ?? []) {
        if (text.startsWith(form, at)) yield { needle, at };
      }
    }
  }

  #addEncodings(value: string, needle: Needle): void {
    for (const bytes of [Buffer.from(value), Buffer.from(value, 'utf16le')]) {
      this.#addForm(bytes.toString('hex'), needle);
      for (const form of base64Forms(bytes)) this.#addForm(form, needle);
    }
  }

  #addForm(form: string, needle: Needle): void {
    if (form.length < GRAM) return;
    const gram = form.slice(0, GRAM);
    this.#forms.set(gram, [...(this.#forms.get(gram) ?? []), { form, needle }]);
  }
}

/** Case and the two ways to write an accent make no difference. */
function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The characters that bytes always have in base64, whatever stands before and after them. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const form = text.slice(Math.ceil((before * 8) / 6), last);
    return [form, form.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

/** JSON's and JavaScript's `\u00e9`, `%C3%A9` and `&#233;` as the characters that they mean. */
function unescaped(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/\\\\?[nrt]/g, ' ')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
      const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
      return bytes.toString(bytes.toString().includes('\uFFFD') ? 'latin1' : 'utf8');
    })
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
