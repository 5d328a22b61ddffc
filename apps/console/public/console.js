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

/** In a queue: j and k go to the next and the previous store, unless somebody types. */
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select');
  if (typing !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  const link = { j: 'a[rel=next]', k: 'a[rel=prev]' }[event.key];
  if (link !== undefined) document.querySelector(link)?.click();
});
