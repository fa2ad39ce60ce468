package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A parsed token without its proof: root, co-signature and blocks, each following from the one before.
 *
 * <p>A chain says nothing about signatures yet. It is not a credential either: without the proof nobody can present it,
 * so it may be kept in memory.
 */
public final class Chain {
    /**
     * One caveat and where it stands.
     *
     * @param blockId the block's id, or empty for the root
     * @param index the position inside its block
     */
    public record Placed(String blockId, int index, Caveat caveat) {}

    private final Root root;
    private final Optional<CoSignature> coSignature;
    private final List<Block> blocks;
    private final List<Ed25519Key> blockKeys;
    private final List<Placed> caveats;
    private final byte[] commitment;

    private Chain(
            Root root,
            Optional<CoSignature> coSignature,
            List<Block> blocks,
            List<Ed25519Key> blockKeys,
            List<Placed> caveats,
            byte[] commitment) {
        this.root = root;
        this.coSignature = coSignature;
        this.blocks = blocks;
        this.blockKeys = blockKeys;
        this.caveats = caveats;
        this.commitment = commitment;
    }

    public static Chain parse(Layout layout, Caps caps) throws Refused {
        Root root = Root.parse(layout.root());
        Optional<CoSignature> coSignature = layout.hybrid()
                ? Optional.of(CoSignature.parse(layout.coSignature(), layout.root()))
                : Optional.empty();
        requireNotStripped(root, coSignature);

        List<Block> blocks = new ArrayList<>();
        List<Ed25519Key> keys = new ArrayList<>();
        Sha256.Growing textHash = new Sha256.Growing();
        byte[] previousHash = textHash.plusAscii(layout.rootText());
        Optional<String> nextKey = root.claims().nextKey();
        for (int i = 0; i < layout.blockCount(); i++) {
            byte[] hash = textHash.plusAscii(layout.added(i));
            Block block = Block.parse(layout.block(i), Base64Url.encode(hash));
            if (!Sha256.same(Base64Url.decode(block.previous(), "prv"), previousHash)) {
                throw new Refused(Reason.BAD_CHAIN, "block " + (i + 1) + " does not follow the text before it");
            }
            if (nextKey.isEmpty()) {
                throw new Refused(Reason.BAD_CHAIN, "block " + (i + 1) + " follows a final block");
            }
            keys.add(Ed25519Key.of(Base64Url.decode(nextKey.get(), "nk")));
            blocks.add(block);
            previousHash = hash;
            nextKey = block.nextKey();
        }
        if (nextKey.isPresent()) {
            // Not used yet, but a weak key must not travel further.
            Ed25519Key _ = Ed25519Key.of(Base64Url.decode(nextKey.get(), "nk"));
        }
        Chain chain = assemble(root, coSignature, blocks, keys);
        if (chain.caveats.size() > caps.maxCaveats()) {
            throw new Refused(
                    Reason.TOO_MANY_CAVEATS,
                    "token has " + chain.caveats.size() + " caveats (at most " + caps.maxCaveats() + ")");
        }
        return chain;
    }

    /** Root and co-signature announce each other, so neither can be removed. */
    private static void requireNotStripped(Root root, Optional<CoSignature> coSignature) throws Refused {
        Optional<String> announced = root.claims().pqKid();
        if (announced.isPresent() && coSignature.isEmpty()) {
            throw new Refused(Reason.PQ_MISSING, "root announces a co-signature that is not there");
        }
        if (!announced.equals(coSignature.map(CoSignature::kid))) {
            throw new Refused(Reason.PQ_INVALID, "co-signature is not the one the root announces");
        }
    }

    private static Chain assemble(
            Root root, Optional<CoSignature> coSignature, List<Block> blocks, List<Ed25519Key> keys) throws Refused {
        List<Placed> caveats = new ArrayList<>();
        place(caveats, "", root.claims().caveats());
        for (Block block : blocks) {
            place(caveats, block.id(), block.caveats());
        }
        String commitment =
                blocks.isEmpty() ? root.claims().commitment() : blocks.getLast().commitment();
        return new Chain(
                root,
                coSignature,
                List.copyOf(blocks),
                List.copyOf(keys),
                List.copyOf(caveats),
                Base64Url.decode(commitment, "nh"));
    }

    private static void place(List<Placed> all, String blockId, List<Caveat> caveats) {
        for (int i = 0; i < caveats.size(); i++) {
            all.add(new Placed(blockId, i, caveats.get(i)));
        }
    }

    /** The chain as it was after its first {@code count} blocks. */
    public Chain prefix(int count) {
        try {
            return assemble(root, coSignature, blocks.subList(0, count), blockKeys.subList(0, count));
        } catch (Refused e) {
            throw new IllegalStateException("a part of a parsed chain is well-formed", e);
        }
    }

    public Root root() {
        return root;
    }

    public RootClaims claims() {
        return root.claims();
    }

    public Optional<CoSignature> coSignature() {
        return coSignature;
    }

    public List<Block> blocks() {
        return blocks;
    }

    /** The key that must have signed block {@code index}: the {@code nk} of what precedes it. */
    public Ed25519Key blockKey(int index) {
        return blockKeys.get(index);
    }

    /** The key that would sign the next block, if one may follow. */
    public Optional<String> nextKey() {
        return blocks.isEmpty() ? claims().nextKey() : blocks.getLast().nextKey();
    }

    /** All caveats, root first. */
    public List<Placed> caveats() {
        return caveats;
    }

    /**
     * Whether the issuer itself named this operation and no block takes it away. A block is the holder's own word: its
     * scope narrows, and never makes up for a root that names none.
     */
    public boolean grants(String operation) {
        return Caveat.Scope.common(claims().caveats()).isPresent()
                && Caveat.Scope.common(caveats.stream().map(Placed::caveat).toList())
                        .orElseThrow()
                        .contains(operation);
    }

    public boolean isOpenedBy(Proof proof) {
        return proof.opens(commitment);
    }

    /** Shows no more than ids: the text is long and of no use in a log. */
    @Override
    public String toString() {
        return "Chain[" + claims().jti() + ", " + blocks.size() + " blocks]";
    }
}
