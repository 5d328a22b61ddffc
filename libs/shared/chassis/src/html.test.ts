import { html, NOTHING } from './html';

describe('html', () => {
  it('escapes whatever it is given, in text and in attributes', () => {
    const evil = `"><script>alert('1' && 2)</script>`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39; &amp;&amp; 2)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39; &amp;&amp; 2)&lt;/script&gt;</p>',
    );
  });

  it('takes its own pieces as they are', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}${NOTHING}`.text).toBe('<li>a</li><li>&lt;b&gt;</li>');
  });
});
