/** Most messages with one word, the first included. */
export const MAX_WORD_SENDS = 5;
/** Wrong tries before the word is replaced. */
export const MAX_WRONG_WORDS = 5;
/** Wrong tries for one order, over all of its words, before only ops can lift the lock. */
export const MAX_WRONG_WORDS_IN_ALL = 20;
/** Life of the SMS; resendDeliveryWord sends the word again. */
export const WORD_MESSAGE_LIFE_MS = 24 * 60 * 60_000;

/**
 * Spanish words that are easy to distinguish when spoken: common things, without accents or ñ, and
 * no two differ in only one letter.
 */
const WORDS = (
  'abeja abrigo aceite aguja alambre almeja anillo arbusto asiento avena avispa azulejo ' +
  'bahia balcon bandera barril batido bodega bolsillo bosque botella brisa bufanda burbuja caballo ' +
  'cabra cadena calabaza camello canela canguro carreta cascada castillo cebolla cereza chaleco ' +
  'ciruela cocodrilo colmena cometa conejo coral corbata cordero cristal cuaderno cuchara delfin ' +
  'desierto diamante dragon durazno elefante erizo escalera escoba espejo espiga estrella fabrica ' +
  'farol ferrocarril flauta foca frambuesa fresa gacela galleta gaviota girasol globo ' +
  'gorrion granada grillo guayaba guitarra hamaca harina helado hormiga horno iglesia iguana ' +
  'imprenta invierno jabali jardin jirafa jungla kiosco ladrillo laguna lampara laurel lechuga ' +
  'lenteja leopardo libreta limon linterna loro luciernaga madera maleta mandarina manzana ' +
  'mariposa martillo medusa melon mercado mochila molino montura mosaico naranja navio nogal ' +
  'noviembre nube oceano olivo orquesta ostra oveja palmera paloma panadero papaya paraguas ' +
  'pelicano pepino perla pimienta pincel pintura pirata platano pluma puente quetzal quinto ' +
  'rabano radio rana regadera relampago resorte rinoceronte roble rodilla romero rosal rubi ' +
  'sandalia sandia semilla sendero serpiente silbato sirena sombrero tambor tapete tejado tesoro ' +
  'tiburon tijera tobogan tomate torre tractor trigo trompeta tulipan turquesa unicornio uva ' +
  'vainilla valle venado ventana violin volcan xilofono yegua zafiro zanahoria zapato'
).split(' ');

/** How many delivery words there are to draw from: every ordered pair of two different words. */
export const WORD_COUNT = WORDS.length * (WORDS.length - 1);

/**
 * The delivery word at a drawn index, 0 ≤ index < WORD_COUNT: two words of the list as one, such as
 * LimonTambor. The capitals show where the second one starts.
 */
export function deliveryWordAt(index: number): string {
  const first = Math.floor(index / (WORDS.length - 1));
  const second = index % (WORDS.length - 1);
  return capitalised(first) + capitalised(second < first ? second : second + 1);
}

function capitalised(index: number): string {
  const word = WORDS[index];
  if (word === undefined) throw new RangeError('There is no delivery word at this index');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether the driver entered this word: only letters count, without case, accents and width. */
export function isSameWord(given: string, word: string): boolean {
  return plain(given) === plain(word);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z]/g, '');
}
