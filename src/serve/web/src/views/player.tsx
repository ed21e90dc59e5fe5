import { t } from "../i18n";
import type { View } from "./view";

const Player: View = () => <p>{t("comingSoon")}</p>;
export default Player;
