/* Every kind of card: each puts itself into KINDS. */
import "./automatic.js";
import "./calls.js";
import "./figure-card.js";
import "./line-cards.js";
import "./people.js";
import "./table.js";
import "./tiles.js";
import "./totals.js";
