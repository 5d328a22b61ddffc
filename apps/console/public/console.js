'use strict';
// The console's only script, for comfort; passkeys are the only thing that needs it.

/** Posts JSON to the console itself. */
async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Makes a passkey for an invitation, or signs in with one. */
async function usePasskey({ passkeyBegin, passkeyEnd, invitation }) {
  const { options } = await post(passkeyBegin, { invitation });
  const credential =
    invitation === ''
      ? await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        })
      : await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        });
  const { next } = await post(passkeyEnd, { invitation, response: credential.toJSON() });
  location.assign(next);
}

for (const button of document.querySelectorAll('[data-passkey-begin]')) {
  const problem = document.querySelector('[data-passkey-problem]');
  button.addEventListener('click', () => {
    button.disabled = true;
    problem.hidden = true;
    usePasskey(button.dataset).catch(() => {
      problem.hidden = false;
      button.disabled = false;
    });
  });
}

document.querySelector('form[data-submit]')?.submit();

/** j and k go to the next and the previous store of a queue, and / to the search, unless somebody types. */
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select');
  if (typing !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') {
    const search = document.querySelector('#q');
    if (search === null) return;
    event.preventDefault();
    search.focus();
  }
  const link = { j: 'a[rel=next]', k: 'a[rel=prev]' }[event.key];
  if (link !== undefined) document.querySelector(link)?.click();
});

/** What a search so far names, as links beneath its field: the arrow leads to them. */
function suggestFor(field) {
  const list = document.createElement('ul');
  list.className = 'suggested';
  list.hidden = true;
  list.setAttribute('aria-live', 'polite');
  field.autocomplete = 'off';
  field.after(list);
  let asked = 0;
  const ask = async () => {
    const q = field.value.trim();
    asked += 1;
    const mine = asked;
    const { suggestions } =
      q.length < 3 ? { suggestions: [] } : await post('/buscar/sugerencias', { q });
    if (mine !== asked) return;
    list.replaceChildren(
      ...suggestions.map(({ href, name, note }) => {
        const [row, link, small] = ['li', 'a', 'small'].map((tag) => document.createElement(tag));
        link.href = href;
        link.textContent = name;
        small.textContent = note;
        link.append(small);
        row.append(link);
        return row;
      }),
    );
    list.hidden = suggestions.length === 0;
  };
  let timer;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask().catch(() => undefined), 250);
  });
  document.addEventListener('click', ({ target }) => {
    list.hidden ||= !field.form.contains(target);
  });
  field.form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      list.hidden = true;
      field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || list.hidden) return;
    event.preventDefault();
    const places = [field, ...list.querySelectorAll('a')];
    places[places.indexOf(document.activeElement) + step]?.focus();
  });
}
for (const field of document.querySelectorAll('[role=search] input[type=search]'))
  suggestFor(field);

/** The arrows go from a row of a list to the next one, once one has the focus; Enter opens it. */
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = [...document.querySelectorAll('td.name a')];
  const at = rows.indexOf(event.target);
  if (step === undefined || at < 0 || rows[at + step] === undefined) return;
  event.preventDefault();
  rows[at + step].focus();
});

/** A file fills the text that would be pasted. */
for (const text of document.querySelectorAll('textarea[data-file]')) {
  const file = document.createElement('input');
  file.type = 'file';
  file.accept = '.csv,text/csv,text/plain';
  file.setAttribute('aria-label', document.querySelector(`label[for="${text.id}"]`).textContent);
  file.addEventListener('change', () => {
    void file.files[0]?.text().then((content) => {
      text.value = content;
    });
  });
  text.before(file);
}

/** An id is short, and a button copies the whole of it. */
for (const text of document.querySelectorAll('[data-copy]')) {
  const whole = text.dataset.copy;
  if (whole.length > 20 && text.localName === 'code') {
    text.textContent = `${whole.slice(0, 8)}…${whole.slice(-6)}`;
    text.title = whole;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const isSpanish = document.documentElement.lang.startsWith('es');
  button.textContent = isSpanish ? 'Copiar' : 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(whole).then(() => {
      button.textContent = isSpanish ? 'Copiado' : 'Copied';
    });
  });
  text.after(button);
}

/** A link to a form opens it, in browsers that do not do so themselves. */
function openTarget() {
  const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  target?.closest('details')?.setAttribute('open', '');
}
addEventListener('hashchange', openTarget);
openTarget();
